"""The toolsets, one idea a file. Each is a function that returns Tools; app puts them in a box."""
