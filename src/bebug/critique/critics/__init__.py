"""An open set: one critic per file, offered as a `critic(argument)` factory."""
