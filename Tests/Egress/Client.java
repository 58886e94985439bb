import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Java's own client, which asks for HTTP/2 by an upgrade. Prints the answer to GET /rest/v1/whoami. */
public class Client {
  public static void main(String[] words) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(words[0] + "/rest/v1/whoami"))
        .header("Authorization", "Bearer " + words[1]).build();
    System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
  }
}
