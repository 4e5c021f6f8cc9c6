"""OpenTelemetry traces, above everything that they are of. Loaded only where an operator asks for them."""
