#!/usr/bin/env python3
"""xdg-open for the checks of the documents: signs in at the sandbox's consent page, as the address
in the file $RITUAL_BROWSER, and follows the redirects to the agent."""

import html
import http.cookiejar
import os
import re
import sys
import urllib.parse
import urllib.request


def main(url):
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    with open(os.environ["RITUAL_BROWSER"]) as file:
        fields = {"action": "allow", "email": file.read()}
    request, data = url, None
    for _ in range(8):
        with opener.open(request, data, timeout=30) as answer:
            page, at = answer.read().decode(), answer.geturl()
        form = re.search(r'<form[^>]*action="([^"]+)"', page)
        if not form or not at.startswith(urllib.parse.urljoin(url, "/")):
            return
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
        values = {name: html.unescape(value) for name, value in hidden}
        if re.search(r"/consent|/idp/", form[1]):
            values |= fields
        request = urllib.parse.urljoin(at, html.unescape(form[1]))
        data = urllib.parse.urlencode(values).encode()


main(sys.argv[1])
