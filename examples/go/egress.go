// Ritual Agent with Go: requests through the egress socket. The agent adds the authorization, so this
// program never holds a token. No dependency.
//
//	go run egress.go PATH [ACCOUNT]     for example: go run egress.go /rest/v1/todos?select=title
//
// In your own program, use the client that Client returns with URLs such as
// http://localhost/rest/v1/todos: the host is the account, and localhost is the default account.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// SocketPath returns the egress socket of the current user's agent, which is beside the agent's own.
func SocketPath() string {
	if agent := os.Getenv("RITUAL_AGENT_SOCKET"); agent != "" {
		return filepath.Join(filepath.Dir(agent), "egress.sock")
	}
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	if !strings.HasPrefix(runtime, "/") {
		runtime = fmt.Sprintf("/run/user/%d", os.Getuid())
	}
	return filepath.Join(runtime, "ritual-agent", "egress.sock")
}

// Client returns a client whose connections all go to the egress socket.
func Client() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		connection, err := new(net.Dialer).DialContext(ctx, "unix", SocketPath())
		return connection, explained(err)
	}
	return &http.Client{Transport: transport}
}

// explained tells a sandbox that forbids the socket from an agent that does not run. EACCES can also mean
// that this user has no permission for the socket.
func explained(err error) error {
	isForbidden := errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EAFNOSUPPORT) ||
		errors.Is(err, syscall.EACCES) && syscall.Access(SocketPath(), 2) == nil // W_OK
	if !isForbidden {
		return err
	}
	return fmt.Errorf("this sandbox forbids the agent's socket; outside the sandbox: "+
		"ritualctl exec --egress --egress-host NAME -- COMMAND: %w", err)
}

func run(path, account string) error {
	response, err := Client().Get("http://" + account + path)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		return err
	}
	if response.StatusCode >= 400 {
		// Proxy-Status marks the agent's own answers, whose body names the next step.
		return fmt.Errorf("\n%s %s", response.Status, response.Header.Get("Proxy-Status"))
	}
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: egress PATH [ACCOUNT]")
		os.Exit(64)
	}
	account := append(os.Args, "localhost")[2]
	if err := run(os.Args[1], account); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
