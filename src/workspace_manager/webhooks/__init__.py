"""Webhooks: endpoints that other programs register, deliveries to them, and signatures."""
