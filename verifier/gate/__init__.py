"""The gate of a repository: configuration, policy, several outputs, watching, a first claim."""
