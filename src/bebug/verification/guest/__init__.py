"""What runs in the seed's own interpreter: standard library and pytest only, nothing of bebug."""
