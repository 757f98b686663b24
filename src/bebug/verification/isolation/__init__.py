"""An open set: one way of walling off test runs per file, offered as `tier`."""
