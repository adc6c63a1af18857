"""What happens, in the words of the specification: register, approve, sign in, work, leave.

Stories call systems through the contract and keep records. They know no page, no route, no queue; the systems are handed to them
(`driven.DrivenSystems`), so that no story knows how they are configured.
"""
