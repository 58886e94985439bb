package import AgentProtocol
package import SystemSupport

extension AgentClock {
  /// The wall clock's time, for display and for times that are kept over a reboot.
  package var wall: Timestamp { Timestamp(unixSeconds: wallSeconds) }

  /// The wall clock's reading at a moment of this boot.
  package func wallTime(of moment: BootTime) -> Timestamp {
    Timestamp(unixSeconds: wall.unixSeconds + now.duration(to: moment).components.seconds)
  }
}
