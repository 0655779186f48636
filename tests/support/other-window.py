#!/usr/bin/python3
"""A window of another program, which somebody looks at meanwhile. Prints `looked at` when it has the keyboard."""
import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window = Gtk.Window(title="Elsewhere")
window.set_default_size(300, 200)
window.connect("focus-in-event", lambda *_: print("looked at", flush=True))
window.show_all()
window.present()
Gtk.main()
