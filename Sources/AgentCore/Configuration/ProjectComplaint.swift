import AgentProtocol
import SupabaseAuth

/// What is wrong with a project's settings: the first key that cannot stay, and what is meant there.
struct ProjectComplaint: Sendable, Equatable {
  let key: String
  let message: String
}

extension ProjectConfiguration {
  /// Nil where the project can be used.
  var complaint: ProjectComplaint? {
    urlComplaint ?? keyComplaint ?? apiComplaint ?? pathComplaint ?? trustComplaint ?? proxyComplaint
      ?? schemeComplaint
  }

  private var urlComplaint: ProjectComplaint? {
    // The key is judged by itself.
    if let complaint = endpointComplaint("url", anonKey: "key") { return complaint }
    guard !WebPath(of: url).text.lowercased().contains("/auth/v1") else {
      return ProjectComplaint(key: "url", message: "the project's address is meant, without /auth/v1")
    }
    return nil
  }

  private var keyComplaint: ProjectComplaint? {
    if ServiceKey.matches(anonKey) {
      return ProjectComplaint(
        key: "anon_key", message: ServiceKey.complaint)
    }
    return endpointComplaint("anon_key", anonKey: anonKey)
  }

  private var apiComplaint: ProjectComplaint? {
    guard let apiURL else { return nil }
    do throws(AuthError) {
      _ = try WebOrigin.of(apiURL)
    } catch {
      return ProjectComplaint(key: "api_url", message: error.message)
    }
    guard ["", "/"].contains(WebPath(of: apiURL).text) else {
      return ProjectComplaint(key: "api_url", message: "an origin is meant, https://HOST without a path")
    }
    return nil
  }

  private var pathComplaint: ProjectComplaint? {
    profilePath.hasPrefix("/")
      ? nil : ProjectComplaint(key: "profile_path", message: "a path that begins with / is meant")
  }

  private var trustComplaint: ProjectComplaint? {
    if let caFile, !caFile.hasPrefix("/") {
      // The agent is started from anywhere, and no shell expands ~ for it.
      return ProjectComplaint(key: "ca_file", message: "a whole path is meant, one that begins with /")
    }
    guard caFile == nil, onlyThisCA else { return nil }
    return ProjectComplaint(key: "only_this_ca", message: "only_this_ca needs ca_file")
  }

  private var proxyComplaint: ProjectComplaint? {
    endpointComplaint("proxy", anonKey: anonKey, proxy: proxy)
  }

  private var schemeComplaint: ProjectComplaint? {
    let isScheme = redirectScheme.isURLScheme && !["http", "https", "file"].contains(redirectScheme)
    guard !isScheme else { return nil }
    return ProjectComplaint(
      key: "redirect_scheme", message: "a scheme of the app's own is meant: lower-case letters, digits, + . and -")
  }

  /// The endpoint's own words for what it does not take.
  private func endpointComplaint(_ key: String, anonKey: String, proxy: String? = nil) -> ProjectComplaint? {
    do throws(AuthError) {
      _ = try ProjectEndpoint(url: url, anonKey: anonKey, proxy: proxy)
      return nil
    } catch {
      return ProjectComplaint(key: key, message: error.message)
    }
  }
}

/// What stands behind the host of an absolute address: path and query.
struct WebPath {
  let text: String

  init(of url: String) {
    guard let scheme = url.firstRange(of: "://") else {
      text = ""
      return
    }
    text = String(url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" && $0 != "#" })
  }
}

extension String {
  /// RFC 3986, section 3.1, in lower case.
  fileprivate var isURLScheme: Bool {
    guard let first = utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || "+.-".utf8.contains($0)
    }
  }
}
