import AgentProtocol
import WebURLs

/// An error in a project's settings: the first invalid key, and the value that is expected.
package struct ProjectValidationError: Sendable, Equatable {
  package let key: String
  package let message: String
}

extension ProjectConfiguration {
  /// Paths of Supabase's services, which the agent adds to the project URL by itself.
  static let services = ["/auth/v1", "/rest/v1", "/storage/v1", "/functions/v1", "/realtime/v1", "/graphql/v1"]

  /// Returns a pasted URL without trailing slashes and without the path of a Supabase service.
  package static func withoutServicePath(_ url: String) -> String {
    let plain = withoutTrailingSlashes(url)
    for service in services where plain.lowercased().hasSuffix(service) {
      return withoutTrailingSlashes(String(decoding: plain.utf8.dropLast(service.utf8.count), as: UTF8.self))
    }
    return plain
  }

  /// Returns the project URL for what a person enters or pastes: a URL with or without its scheme,
  /// the project's page in the dashboard, or the project ID. Other text is returned unchanged.
  package static func url(entered text: String) -> String {
    if isProjectID(text) { return "https://\(text).supabase.co" }
    var text = text
    if !text.contains("://") {
      let isHost = text.utf8.contains(UInt8(ascii: ".")) || text.utf8.contains(UInt8(ascii: ":"))
      guard isHost, let url = try? WebURL("https://" + text) else { return text }
      text = (url.isLoopback ? "http://" : "https://") + text
    }
    if let page = try? WebURL(text), dashboards.contains(page.host),
      let id = page.path.split(separator: "/").map(String.init).first(where: isProjectID)
    {
      return "https://\(id).supabase.co"
    }
    return withoutServicePath(text)
  }

  /// Returns whether `text` has the form of the ID in a Supabase project's URL.
  private static func isProjectID(_ text: String) -> Bool {
    text.utf8.count == 20 && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  package static func withoutTrailingSlashes(_ url: String) -> String {
    var bytes = url.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Hosts of dashboard pages, whose URL is often copied by mistake.
  private static let dashboards = ["supabase.com", "www.supabase.com", "app.supabase.com", "app.supabase.io"]

  /// The first error in the settings; nil if the project can be used.
  package var validationError: ProjectValidationError? {
    urlComplaint ?? keyComplaint ?? apiComplaint ?? pathComplaint ?? trustComplaint ?? proxyComplaint
      ?? schemeComplaint ?? pageComplaint ?? resetComplaint
  }

  private var urlComplaint: ProjectValidationError? {
    let address: WebURL
    do throws(WebURLError) { address = try WebURL(url) } catch {
      return ProjectValidationError(key: "url", message: error.message)
    }
    if Self.dashboards.contains(address.host) {
      return ProjectValidationError(
        key: "url", message: "this is the dashboard; use the project URL, such as https://abcdefgh.supabase.co")
    }
    guard !address.hasQuery else {
      return ProjectValidationError(
        key: "url", message: "the project URL must not have a query; use only scheme and host")
    }
    let path = address.path.lowercased()
    guard let service = Self.services.first(where: { (path + "/").contains($0 + "/") }) else { return nil }
    return ProjectValidationError(key: "url", message: "use the project URL without \(service)")
  }

  private var keyComplaint: ProjectValidationError? {
    if ServiceKey.matches(anonKey) { return ProjectValidationError(key: "anon_key", message: ServiceKey.complaint) }
    guard anonKey.isVisibleASCII, !isQuoted else {
      return ProjectValidationError(
        key: "anon_key", message: "the anon key is empty or has invalid characters; copy it again")
    }
    guard !anonKey.utf8.starts(with: "https://".utf8), !anonKey.utf8.starts(with: "http://".utf8) else {
      return ProjectValidationError(key: "anon_key", message: "this is a URL; use the project's anon (publishable) key")
    }
    return nil
  }

  /// True if the key was pasted together with quotes.
  private var isQuoted: Bool {
    let quotes = Array("\"'`".utf8)
    return anonKey.utf8.count >= 2 && quotes.contains(anonKey.utf8.first ?? 0)
      && anonKey.utf8.first == anonKey.utf8.last
  }

  private var apiComplaint: ProjectValidationError? {
    guard let apiURL else { return nil }
    do throws(WebURLError) {
      let address = try WebURL(apiURL)
      guard address.path.isEmpty, !address.hasQuery else {
        return ProjectValidationError(key: "api_url", message: "expected an origin: https://HOST without a path")
      }
      return nil
    } catch { return ProjectValidationError(key: "api_url", message: error.message) }
  }

  private var pathComplaint: ProjectValidationError? {
    profilePath.hasPrefix("/")
      ? nil : ProjectValidationError(key: "profile_path", message: "expected a path that starts with /")
  }

  private var trustComplaint: ProjectValidationError? {
    if let caFile, !caFile.hasPrefix("/") {
      // The agent may be started in any directory, and no shell expands `~`.
      return ProjectValidationError(key: "ca_file", message: "expected an absolute path")
    }
    guard caFile == nil, onlyThisCA else { return nil }
    return ProjectValidationError(key: "only_this_ca", message: "only_this_ca requires ca_file")
  }

  private var proxyComplaint: ProjectValidationError? {
    let key = "proxy_password_file"
    if proxyPasswordFile?.isEmpty == true { return ProjectValidationError(key: key, message: "expected a file") }
    if headersFile?.isEmpty == true { return ProjectValidationError(key: "headers_file", message: "expected a file") }
    guard let proxy else {
      return proxyPasswordFile.map { _ in ProjectValidationError(key: key, message: "\(key) requires proxy") }
    }
    do throws(WebURLError) {
      guard try ProxyURL(proxy).kind == .socks5, proxyPasswordFile != nil else { return nil }
      return ProjectValidationError(key: key, message: "a SOCKS proxy gets no password; only an http:// proxy does")
    } catch { return ProjectValidationError(key: "proxy", message: error.message) }
  }

  /// The agent adds the fragment. A browser opens the page, so it must be encrypted unless it is served by this machine.
  private var pageComplaint: ProjectValidationError? {
    guard let signInPage else { return nil }
    if let complaint = Self.complaint(aboutPage: signInPage, "sign_in_page") { return complaint }
    guard signInPage.utf8.contains(UInt8(ascii: "#")) else { return nil }
    return ProjectValidationError(key: "sign_in_page", message: "expected a URL without a fragment (#)")
  }

  /// The agent's page links to it. A page's texts have at most 400 characters.
  private var resetComplaint: ProjectValidationError? {
    guard let passwordResetPage else { return nil }
    let key = "password_reset_page"
    if let complaint = Self.complaint(aboutPage: passwordResetPage, key) { return complaint }
    return passwordResetPage.utf8.count > 400
      ? ProjectValidationError(key: key, message: "the URL is longer than 400 bytes") : nil
  }

  private static func complaint(aboutPage page: String, _ key: String) -> ProjectValidationError? {
    do throws(WebURLError) {
      _ = try WebURL(page)
      return nil
    } catch {
      return ProjectValidationError(
        key: key,
        message: error.code == .insecure && !page.lowercased().hasPrefix("https:")
          ? "https is needed for this page; plain http is allowed only on this machine" : error.message)
    }
  }

  private var schemeComplaint: ProjectValidationError? {
    let isScheme = redirectScheme.isURLScheme && !["http", "https", "file"].contains(redirectScheme)
    guard !isScheme else { return nil }
    return ProjectValidationError(
      key: "redirect_scheme", message: "expected a private-use scheme: lowercase letters, digits, '+', '.' and '-'")
  }
}

extension String {
  /// True for a scheme of RFC 3986, section 3.1, in lower case.
  fileprivate var isURLScheme: Bool {
    guard let first = utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || "+.-".utf8.contains($0)
    }
  }
}
