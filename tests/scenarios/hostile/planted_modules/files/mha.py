raise SystemExit("planted")
