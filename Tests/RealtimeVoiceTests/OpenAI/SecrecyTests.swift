import Foundation
import RealtimeVoice
import Testing

/// No credential stands in what is printed, dumped or thrown.
struct SecrecyTests {
    private static let key = "sk-very-secret"

    private static let models: [any RealtimeModel] = [
        OpenAIRealtimeModel("m", apiKey: key), XaiRealtimeModel("m", apiKey: key),
        GoogleRealtimeModel("m", apiKey: key),
    ]

    private func texts(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test(arguments: models.indices)
    func aModelDoesNotShowItsKey(_ index: Int) throws {
        let model = Self.models[index]
        #expect(!texts(model).contains(Self.key))
        #expect(!texts([model]).contains(Self.key))
    }

    @Test(arguments: models.indices)
    func aRequestDoesNotShowIt(_ index: Int) throws {
        let model = Self.models[index]
        let url = try #require(URL(string: "wss://h/x?a=b"))
        let secret = RealtimeClientSecret(token: Self.key, url: url)
        for request in [try model.connectRequest(), try model.connectRequest(secret: secret)] {
            #expect(!texts(request).contains(Self.key))
        }
        #expect(!texts(secret).contains(Self.key))
    }

    @Test func aMintingRequestDoesNotShowIt() throws {
        let openAI = OpenAIRealtimeModel("m", apiKey: Self.key)
        let xai = XaiRealtimeModel("m", apiKey: Self.key)
        #expect(!texts(try openAI.clientSecretRequest(options: .init())).contains(Self.key))
        #expect(!texts(try xai.clientSecretRequest(options: .init())).contains(Self.key))
    }

    @Test func aRefusalThatRepeatsTheKeyIsRedacted() throws {
        let body = #"{"error":{"message":"Incorrect API key: \#(Self.key)","code":"invalid"}}"#
        let request = try OpenAIRealtimeModel("m", apiKey: Self.key)
            .clientSecretRequest(options: .init())
        let error = ProviderHTTP.refusal(status: 401, body: Array(body.utf8))
            .redacting(request.secrets)
        #expect(!texts(error).contains(Self.key))
        #expect(!(error.httpBody ?? "").contains(Self.key))
        #expect(error.message == "Incorrect API key: <secret>")
        #expect(error.providerCode == "invalid")
    }
}
