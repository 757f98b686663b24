"""An open set: one form of a scorecard per file, offered as `report`."""
