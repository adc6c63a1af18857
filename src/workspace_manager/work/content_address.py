"""The address by which the system of a component knows its content."""

from workspace_manager.records.models import Component
from workspace_manager.systems.container_manager.names import content_address


def address_of(component: Component) -> str:
    """Return the address of a component's content, as its system made it."""
    if component.kind == Component.Kind.KNOWLEDGE_STACK:
        # Its own address is the one that people open, and not every one has that.
        return content_address(component.name, str(component.id))
    return component.address
