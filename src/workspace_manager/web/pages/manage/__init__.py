"""The pages of administrators: registrations, people, removals, systems. Roles are decided in `pages.urls`, not here."""
