"""Public: toy frames, exact enumeration and checks for other people's designs."""
