"""An open set: one kind of source fault per file, offered as `fault`; they prove what weakened tests miss."""
