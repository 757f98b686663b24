"""An open set: one behaviour-preserving change per file, offered as `control`."""
