"""An open set: one fault class per file, offered as `operator`."""
