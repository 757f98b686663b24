"""An open set: one corpus format per file, offered as `codec`."""
