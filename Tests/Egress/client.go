// Go's net/http over the egress socket. Prints its version.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func require(condition bool, words string) {
	if !condition {
		check(fmt.Errorf("%s", words))
	}
}

func read(response *http.Response, err error) string {
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(err)
	return string(text)
}

func main() {
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", os.Getenv("EGRESS_SOCKET"))
		},
		ExpectContinueTimeout: 10 * time.Second,
		MaxIdleConnsPerHost:   32,
	}
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}
	require(strings.Contains(read(client.Get("http://localhost/rest/v1/whoami")), "anna@example.org"), "whoami")

	// A body of unknown length is sent in chunks.
	reader, writer := io.Pipe()
	go func() {
		for i := 0; i < 64; i++ {
			writer.Write(make([]byte, 65536))
		}
		writer.Close()
	}()
	require(read(client.Post("http://localhost/hostile/drain", "", reader)) == fmt.Sprint(64*65536), "chunked upload")

	request, err := http.NewRequest("PUT", "http://localhost/hostile/drain", strings.NewReader(strings.Repeat("x", 3<<20)))
	check(err)
	request.Header.Set("Expect", "100-continue")
	start := time.Now()
	require(read(client.Do(request)) == fmt.Sprint(3<<20), "Expect")
	require(time.Since(start) < 9*time.Second, "the interim answer did not come")

	ctx, cancel := context.WithCancel(context.Background())
	request, err = http.NewRequestWithContext(ctx, "GET", "http://localhost/functions/v1/sse?interval=0.1", nil)
	check(err)
	response, err := client.Do(request)
	check(err)
	lines := bufio.NewScanner(response.Body)
	for count := 0; count < 3 && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data:") {
			count++
		}
	}
	cancel()
	response.Body.Close()

	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err = client.Head("http://localhost/hostile/length-of-head")
	check(err)
	require(response.ContentLength == 5, "HEAD")
	_, err = client.Get("http://localhost/hostile/short-body")
	if err == nil {
		response, _ = client.Get("http://localhost/hostile/short-body")
		_, err = io.ReadAll(response.Body)
	}
	require(err != nil, "a truncated answer is no error")

	var all sync.WaitGroup
	for i := 0; i < 32; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			var echo struct{ Target string }
			target := fmt.Sprintf("/hostile/echo?%d", i)
			check(json.Unmarshal([]byte(read(client.Get("http://localhost"+target))), &echo))
			require(echo.Target == target, "an answer to another request: "+echo.Target)
		}(i)
	}
	all.Wait()
	fmt.Println(runtime.Version())
}
