"""From an estimate or counts to an interval: the only room with an alpha or a quantile."""
