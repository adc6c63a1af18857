"""What is shown on the pictures of the documentation, scenario by scenario."""
