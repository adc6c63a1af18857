"""Tags and filters of templates: marks of states, icons, times, and labels."""
