"""Made-up input of every kind: requests from the OpenAPI document, damaged records, files that mean harm."""
