"""An open set: one way of testing a claim per file, offered as `oracle`."""
