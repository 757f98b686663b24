"""The till of a small kiosk."""
