"""Knowledge stacks: templates, the rules of their compose files, choices, and making one."""
