"""Laws that come free with membership of an open set, shipped for outside plug-ins too."""
