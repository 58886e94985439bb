public import SupabaseAuth

extension RequestLimits {
  /// Far above what a busy machine takes, so that no test fails by a limit.
  public static let generous = RequestLimits(connect: .seconds(240), request: .seconds(240))
}
