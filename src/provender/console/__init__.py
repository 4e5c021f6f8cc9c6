"""The web console: pages of plain HTML, CSS and JavaScript modules that show what the API answers, and its sessions."""
