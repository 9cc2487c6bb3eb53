/// The version of this package.
package let realtimeVoiceVersion = "0.1.0"
