import Synchronization

/// `/storage/v1/object/BUCKET/NAME`, as Supabase Storage serves it: objects belong to the user who
/// uploaded them, and every error has status 400, with the real one in the body.
extension Backend {
  /// `GET` and `HEAD`, also under `/object/authenticated/`, with one range.
  func downloadObject(_ request: Incoming) throws -> Answer {
    switch storageCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let name = Self.objectName(request.path)
      guard let object = state.withLock({ $0.objects.objects[name] }), object.userID == userID else {
        return Self.storageError("404", "not_found", "Object not found")
      }
      var answer = Answer(status: 200, headers: [("content-type", object.contentType), ("etag", object.etag)])
      answer.headers += [("accept-ranges", "bytes"), ("cache-control", "no-cache")]
      answer.body = object.body
      if let range = request.header("range").flatMap({ Self.range($0, of: object.body.count) }) {
        answer.status = 206
        answer.body = Array(object.body[range])
        let last = range.upperBound - 1
        answer.headers.append(("content-range", "bytes \(range.lowerBound)-\(last)/\(object.body.count)"))
      }
      return answer
    }
  }

  /// `POST` adds an object, `PUT` and `x-upsert: true` replace one. The body is the object, or a form
  /// with one file (RFC 7578), which the official clients send.
  func uploadObject(_ request: Incoming) throws -> Answer {
    switch storageCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let name = Self.objectName(request.path)
      let file = FormFile(request) ?? FormFile(body: request.body, contentType: request.header("content-type"))
      let replaces = request.method == "PUT" || request.header("x-upsert") == "true"
      let isStored = state.withLock { state in
        guard replaces || state.objects.objects[name] == nil else { return false }
        state.objects.objects[name] = .init(body: file.body, contentType: file.contentType, userID: userID)
        return true
      }
      guard isStored else { return Self.storageError("409", "Duplicate", "The resource already exists") }
      return Answer(json: ["Key": .string(name), "Id": .string(Text.uuid())])
    }
  }

  /// `DELETE /object/BUCKET/NAME`, or `DELETE /object/BUCKET` with `{"prefixes":[NAME…]}`.
  func deleteObjects(_ request: Incoming) throws -> Answer {
    switch storageCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let path = Self.objectName(request.path)
      let prefixes = (try? JSON(parsing: request.body))?["prefixes"]?.array?.compactMap(\.string)
      let names = prefixes?.map { path + "/" + $0 } ?? [path]
      let deleted = state.withLock { state in
        let own = names.filter { state.objects.objects[$0]?.userID == userID }
        for name in own { state.objects.objects[name] = nil }
        return own
      }
      return Answer(json: .array(deleted.map { ["name": .string(String($0.dropFirst(path.utf8.count + 1)))] }))
    }
  }

  /// `POST /object/list/BUCKET` with `{"prefix":…}`.
  func listObjects(_ request: Incoming) throws -> Answer {
    switch storageCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let bucket = Self.objectName(request.path)
      let prefix = (try? JSON(parsing: request.body))?["prefix"]?.string ?? ""
      let own = state.withLock { $0.objects.objects }.filter {
        $0.value.userID == userID && $0.key.hasPrefix(bucket + "/" + prefix)
      }
      return Answer(
        json: .array(
          own.keys.sorted().map { name in
            [
              "name": .string(String(name.dropFirst(bucket.utf8.count + 1))), "id": .string(Text.uuid()),
              "metadata": ["size": .int(own[name]?.body.count ?? 0)],
            ]
          }))
    }
  }

  // MARK: - Callers, names, errors

  enum StorageCaller {
    case permitted(String)
    case refused(Answer)
  }

  /// Authenticates as Storage does.
  func storageCaller(_ request: Incoming) -> StorageCaller {
    switch serviceCaller(token: request.bearer) {
    case .user(let user): .permitted(user.id)
    case .anonymous:
      .refused(Self.storageError("403", "Unauthorized", "new row violates row-level security policy"))
    case .expired: .refused(Self.storageError("403", "Unauthorized", "\"exp\" claim timestamp check failed"))
    case .invalid: .refused(Self.storageError("403", "Unauthorized", "signature verification failed"))
    }
  }

  static func storageError(_ status: String, _ error: String, _ message: String) -> Answer {
    Answer(
      status: 400, json: ["statusCode": .string(status), "error": .string(error), "message": .string(message)])
  }

  private static func objectName(_ path: String) -> String {
    var name = path.dropFirst("/storage/v1/object/".utf8.count)
    for word in ["authenticated/", "list/"] where name.hasPrefix(word) { name = name.dropFirst(word.utf8.count) }
    return String(name)
  }

  /// The bytes of `Range: bytes=FIRST-LAST`; nil for another form, or if it is outside of the body.
  private static func range(_ value: String, of count: Int) -> Range<Int>? {
    guard value.hasPrefix("bytes=") else { return nil }
    let parts = value.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Int(parts[0]), first < count else { return nil }
    let last = min(Int(parts[1]) ?? count - 1, count - 1)
    return last >= first ? first..<(last + 1) : nil
  }
}

/// A file in the body of a request.
struct FormFile {
  let body: [UInt8]
  let contentType: String

  init(body: [UInt8], contentType: String?) {
    (self.body, self.contentType) = (body, contentType ?? "application/octet-stream")
  }

  /// The first part with a file name; nil if the request is no form.
  init?(_ request: Incoming) {
    guard let type = request.header("content-type"), type.hasPrefix("multipart/form-data"),
      let boundary = type.split(separator: "boundary=").last.map({ $0.filter { $0 != "\"" } })
    else { return nil }
    for part in request.body.split(around: Array("--\(boundary)".utf8)) {
      guard let end = part.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
      let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
      guard head.contains("filename=") else { continue }
      let type = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-type:") }
      // The part ends with the line break before the next boundary.
      self.init(
        body: Array(part[end.upperBound...].dropLast(2)),
        contentType: type.map { String($0.dropFirst("content-type:".count).drop { $0 == " " }) })
      return
    }
    return nil
  }
}

extension [UInt8] {
  /// The slices between the occurrences of `mark`.
  fileprivate func split(around mark: [UInt8]) -> [ArraySlice<UInt8>] {
    var (slices, rest) = ([ArraySlice<UInt8>](), self[...])
    while let found = rest.firstRange(of: mark) {
      slices.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return slices + [rest]
  }
}
