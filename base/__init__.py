"""What each package of the site uses: text, spelling, zones, safe requests, consistent reads. No tournaments."""
