print("realtime")
