"""Laws that come free with membership of an open set; shipped, so that outside plug-ins are held to them too."""
