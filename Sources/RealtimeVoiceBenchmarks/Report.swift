import Foundation

/// The table of results.
struct Report {
    private var rows: [[String]] = [
        ["benchmark", "ns", "allocations", "bytes", "naive ns", "×naive", "floor ns", "×floor"]
    ]

    /// Adds the row of a benchmark.
    mutating func add(
        _ name: String,
        _ result: Measurement,
        naive: Measurement?,
        floor: Measurement?
    ) {
        rows.append([
            name,
            Self.number(result.nanoseconds),
            result.allocations.map(Self.number) ?? "n/a",
            result.allocatedBytes.map(Self.number) ?? "n/a",
            naive.map { Self.number($0.nanoseconds) } ?? "",
            naive.map { Self.number($0.nanoseconds / result.nanoseconds) } ?? "",
            floor.map { Self.number($0.nanoseconds) } ?? "",
            floor.map { Self.number(result.nanoseconds / $0.nanoseconds) } ?? "",
        ])
    }

    /// The table: names to the left, numbers to the right.
    var text: String {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + space : space + row[column]
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }

    /// Three digits or so.
    private static func number(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}
