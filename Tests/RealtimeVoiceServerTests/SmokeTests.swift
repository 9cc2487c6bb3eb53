import Testing

@Test func theSuiteRuns() {
    #expect(Bool(true))
}
