import FoundationEssentials
import Synchronization

/// `/storage/v1/upload/resumable`: uploads that can be continued, by the protocol tus 1.0.0 (core,
/// creation). `Location` is absolute, as on the real server.
extension Backend {
  private static let protocolHeaders = [(name: "tus-resumable", value: "1.0.0")]

  /// `OPTIONS`: what the server supports.
  func describeUploads(_ request: Incoming) -> Answer {
    Answer(
      status: 204,
      headers: Self.protocolHeaders + [("tus-version", "1.0.0"), ("tus-extension", "creation,creation-with-upload")])
  }

  /// `POST`: begins an upload, with the first bytes if the body has some.
  func beginUpload(_ request: Incoming) throws -> Answer {
    switch storageCaller(request) {
    case .refused(let answer): return answer
    case .permitted(let userID):
      let metadata = Self.metadata(request.header("upload-metadata") ?? "")
      guard let length = request.header("upload-length").flatMap({ Int($0) }), length >= 0,
        let bucket = metadata["bucketName"], let name = metadata["objectName"]
      else {
        return Self.storageError("400", "invalid_request", "Upload-Length, bucketName and objectName are required")
      }
      let id = Text.uuid()
      let upload = ObjectTable.Upload(
        name: bucket + "/" + name, length: length,
        object: .init(body: request.body, contentType: metadata["contentType"] ?? "text/plain", userID: userID))
      let location = state.withLock { state in
        state.objects.put(upload, id)
        return state.origin + "/storage/v1/upload/resumable/" + id
      }
      return Answer(
        status: 201,
        headers: Self.protocolHeaders + [("location", location), ("upload-offset", "\(request.body.count)")])
    }
  }

  /// `HEAD`: how much has arrived.
  func uploadOffset(_ request: Incoming) throws -> Answer {
    switch upload(request) {
    case .refused(let answer): answer
    case .found(_, let upload):
      Answer(
        status: 200,
        headers: Self.protocolHeaders + [
          ("upload-offset", "\(upload.object.body.count)"), ("upload-length", "\(upload.length)"),
          ("cache-control", "no-store"),
        ])
    }
  }

  /// `PATCH`: the next bytes.
  func continueUpload(_ request: Incoming) throws -> Answer {
    switch upload(request) {
    case .refused(let answer): return answer
    case .found(let id, var upload):
      guard request.header("content-type") == "application/offset+octet-stream" else { return Answer(status: 415) }
      guard request.header("upload-offset") == "\(upload.object.body.count)" else {
        return Answer(status: 409, headers: Self.protocolHeaders)
      }
      upload.object.body += request.body
      guard upload.object.body.count <= upload.length else { return Answer(status: 413) }
      let changed = upload
      state.withLock { $0.objects.put(changed, id) }
      return Answer(
        status: 204, headers: Self.protocolHeaders + [("upload-offset", "\(upload.object.body.count)")])
    }
  }

  private enum FoundUpload {
    case found(String, ObjectTable.Upload)
    case refused(Answer)
  }

  private func upload(_ request: Incoming) -> FoundUpload {
    switch storageCaller(request) {
    case .refused(let answer): return .refused(answer)
    case .permitted(let userID):
      let id = request.path.split(separator: "/").last.map(String.init) ?? ""
      guard let upload = state.withLock({ $0.objects.uploads[id] }), upload.object.userID == userID else {
        return .refused(Answer(status: 404, headers: Self.protocolHeaders))
      }
      return .found(id, upload)
    }
  }

  /// `Upload-Metadata`: names with values in Base64.
  private static func metadata(_ header: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in header.split(separator: ",") {
      let words = pair.split(separator: " ")
      guard let name = words.first else { continue }
      let value = words.count > 1 ? Data(base64Encoded: String(words[1])) : Data()
      pairs[String(name)] = value.map { String(decoding: $0, as: UTF8.self) }
    }
    return pairs
  }
}

extension ObjectTable {
  /// Stores the state of an upload, which becomes an object once it is complete.
  fileprivate mutating func put(_ upload: Upload, _ id: String) {
    uploads[id] = upload
    if upload.object.body.count == upload.length { objects[upload.name] = upload.object }
  }
}
