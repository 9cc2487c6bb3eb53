// swift-tools-version:6.3
import PackageDescription

/// The settings of every Swift target: language mode 6 with the upcoming features that the
/// toolchain offers, strict memory safety, and no warning left standing.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The settings of what the documents show: those of somebody else's package in language mode 6.
let snippetSettings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
    name: "RealtimeVoice",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "RealtimeVoice", targets: ["RealtimeVoice"]),
        .library(name: "RealtimeVoiceServer", targets: ["RealtimeVoiceServer"]),
        .library(name: "RealtimeVoiceTesting", targets: ["RealtimeVoiceTesting"]),
        .executable(name: "realtime", targets: ["realtime"]),
    ],
    targets: [
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]
        ),
        .target(name: "CAudioKernels"),
        .target(name: "CSpeech"),
        .target(
            name: "RealtimeVoice",
            dependencies: [
                "CAudioKernels",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ],
            exclude: [
                "Providers/Google/README.md", "Providers/OpenAI/README.md",
                "Providers/XAI/README.md",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "RealtimeVoiceServer",
            dependencies: ["RealtimeVoice", "CMicroHTTPD", "CSpeech"],
            swiftSettings: settings
        ),
        .target(
            name: "RealtimeVoiceTesting",
            dependencies: ["RealtimeVoice"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "realtime",
            dependencies: ["RealtimeVoice", "RealtimeVoiceServer", "RealtimeVoiceTesting"],
            swiftSettings: settings
        ),
        // Without package access, as somebody else's package would have it.
        .target(
            name: "EchoProvider",
            dependencies: ["RealtimeVoice"],
            path: "Examples/EchoProvider",
            exclude: ["README.md"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "RealtimeVoiceBenchmarks",
            dependencies: ["CAllocationCounter", "RealtimeVoice", "RealtimeVoiceTesting"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "WebSocketConformance",
            dependencies: ["RealtimeVoice"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RealtimeVoiceTests",
            dependencies: ["RealtimeVoice", "RealtimeVoiceTesting"],
            exclude: ["Scenarios"],
            swiftSettings: settings
        ),
        // Compiles and runs the Swift of README and DocC.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "realtime", "RealtimeVoice", "RealtimeVoiceServer", "RealtimeVoiceTesting",
            ],
            packageAccess: false,
            swiftSettings: snippetSettings
        ),
        .testTarget(
            name: "EchoProviderTests",
            dependencies: ["EchoProvider", "RealtimeVoice", "RealtimeVoiceTesting"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .testTarget(
            name: "RealtimeVoiceServerTests",
            dependencies: ["RealtimeVoice", "RealtimeVoiceServer", "RealtimeVoiceTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RealtimeCLITests",
            dependencies: ["realtime", "RealtimeVoice", "RealtimeVoiceServer"],
            swiftSettings: settings
        ),
    ]
)
