"""Pure decisions: values in, values out, no I/O. Each has its own tests."""
