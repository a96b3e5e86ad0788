"""Settings: frozen, checked, and read in one place.

This package is the only reader of the environment and of `$HERMES_HOME/loop/config.yaml`; the rest
of the program is handed values. The environment beats the file, the file beats the defaults, and a
value that cannot be used stops the program with its place, its key and what is allowed: a setting
that is silently ignored is worse than none. Reading creates and changes nothing on disk.

Every command pays for this import. So pathlib waits until paths are built, YAML until a
config.yaml exists, and the sections share one hand-written frozen base (see values.py).
"""

from hermes.settings.disk import private_folder
from hermes.settings.environment import load, locate
from hermes.settings.shape import McpServer, Paths, Secret, Settings

__all__ = ["McpServer", "Paths", "Secret", "Settings", "load", "locate", "private_folder"]
