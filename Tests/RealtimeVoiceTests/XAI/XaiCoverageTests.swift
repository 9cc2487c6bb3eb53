import Foundation
import RealtimeVoice
import Testing

/// Keeps the tables of xAI's README true.
struct XaiCoverageTests {
    @Test func theFirstTableTellsTheEventsThatCome() throws {
        let readme = try ProviderFolder.xai.read("README.md")
        let rows = ProviderTable(readme, under: "## Server messages").rows
        #expect(rows.count == 8)
        for row in rows { try row.checkEvents(by: XaiRealtimeModel("m")) }
    }

    @Test func theSecondTableNamesCustomEvents() throws {
        let readme = try ProviderFolder.xai.read("README.md")
        let rows = ProviderTable(readme, under: "### `custom` events").rows
        #expect(rows.count == 12)
        for row in rows { try row.checkCustom(by: XaiRealtimeModel("m")) }
    }

    /// Each documented field of the configuration stands in the table.
    @Test(arguments: ["openAI", "xai"])
    func theConfigurationTableIsWhole(_ provider: String) throws {
        let folder = provider == "xai" ? ProviderFolder.xai : .openAI
        let readme = try folder.read("README.md")
        let table = readme.components(separatedBy: "## Configuration\n").last ?? ""
        for child in Mirror(reflecting: RealtimeSessionConfig()).children {
            let label = try #require(child.label)
            #expect(table.contains("`\(label)`"), "\(label)")
        }
    }
}
