"""What a server process counts: plain numbers in memory that it shares with nobody, or with its main process."""
