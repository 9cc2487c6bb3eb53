"""The official Python client against the local voice server, unchanged.

Usage: openai_client.py BASE_URL WAV

Sends the WAV (16-bit mono) at the pace of speech in three turns: by server VAD, by push to
talk, and typed; checks transcript, audio and response.done of each. Exits 0 where all is well.
"""

import asyncio
import base64
import sys
import time
import wave

from openai import AsyncOpenAI

CHUNK_SECONDS = 0.02


def read_wav(path):
    with wave.open(path, "rb") as file:
        assert file.getsampwidth() == 2 and file.getnchannels() == 1, "16-bit mono, please"
        rate, data = file.getframerate(), file.readframes(file.getnframes())
    if rate == 24000:
        return data
    count = len(data) // 2
    samples = memoryview(data).cast("h")
    picked = [samples[min(count - 1, i * rate // 24000)] for i in range(count * 24000 // rate)]
    return b"".join(s.to_bytes(2, "little", signed=True) for s in picked)


async def speak(connection, data, tail_seconds):
    """Sends sound as a microphone would; returns when the sound itself ended."""
    size = int(24000 * 2 * CHUNK_SECONDS)
    due = time.monotonic()
    ended = due
    silence = bytes(int(24000 * 2 * tail_seconds) // 2 * 2)
    whole = data + silence
    for start in range(0, len(whole), size):
        chunk = whole[start : start + size]
        await connection.input_audio_buffer.append(audio=base64.b64encode(chunk).decode())
        if start < len(data):
            ended = time.monotonic()
        due += CHUNK_SECONDS
        await asyncio.sleep(max(0, due - time.monotonic()))
    return ended


async def collect(connection):
    """Reads until response.done; returns what came."""
    found = {"heard": None, "said": "", "audio": 0, "text": "", "first": None, "types": []}
    async for event in connection:
        found["types"].append(event.type)
        if event.type == "error":
            raise SystemExit(f"error event: {event.error}")
        if event.type == "conversation.item.input_audio_transcription.completed":
            found["heard"] = event.transcript
        elif event.type == "response.output_audio.delta":
            found["first"] = found["first"] or time.monotonic()
            found["audio"] += len(base64.b64decode(event.delta))
        elif event.type == "response.output_audio_transcript.done":
            found["said"] = event.transcript
        elif event.type == "response.output_text.done":
            found["text"] = event.text
        elif event.type == "response.done":
            found["status"] = event.response.status
            found["usage"] = event.response.usage
            return found
    raise SystemExit("the socket closed before response.done")


def expect(condition, what, found):
    if not condition:
        raise SystemExit(f"FAILED: {what}: { {k: v for k, v in found.items() if k != 'types'} }")


async def main(base_url, path):
    data = read_wav(path)
    client = AsyncOpenAI(api_key="local", base_url=base_url)
    secret = await client.realtime.client_secrets.create(
        session={"type": "realtime", "model": "gpt-realtime"}
    )
    assert secret.value.startswith("ek_"), secret
    async with AsyncOpenAI(api_key=secret.value, base_url=base_url).realtime.connect(
        model="gpt-realtime"
    ) as connection:
        audio = {
            "input": {
                "transcription": {"model": "gpt-realtime-whisper"},
                "turn_detection": {"type": "server_vad", "silence_duration_ms": 500},
            }
        }
        await connection.session.update(session={"type": "realtime", "audio": audio})

        reader = asyncio.create_task(collect(connection))
        ended = await speak(connection, data, 1.0)
        found = await reader
        expect(found["heard"], "a transcript of the spoken turn", found)
        expect(found["audio"] > 24000, "half a second of audio", found)
        expect(found["status"] == "completed", "a completed response", found)
        expect(found["usage"].output_tokens > 0, "usage", found)
        print(f"server vad:   heard {found['heard']!r}, said {found['said']!r}, "
              f"{found['audio'] / 48000:.1f} s, first audio {found['first'] - ended:.2f} s "
              "after the end of speech")

        audio["input"]["turn_detection"] = None
        await connection.session.update(session={"type": "realtime", "audio": audio})
        ended = await speak(connection, data, 0)
        await connection.input_audio_buffer.commit()
        await connection.response.create()
        found = await collect(connection)
        while found["heard"] is None:
            event = await connection.recv()
            if event.type == "conversation.item.input_audio_transcription.completed":
                found["heard"] = event.transcript
        expect(found["audio"] > 24000, "half a second of audio", found)
        expect("input_audio_buffer.speech_started" not in found["types"], "no VAD", found)
        print(f"push to talk: heard {found['heard']!r}, said {found['said']!r}, "
              f"first audio {found['first'] - ended:.2f} s after the end of speech")

        await connection.conversation.item.create(
            item={
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Count to three."}],
            }
        )
        await connection.response.create(response={"output_modalities": ["text"]})
        found = await collect(connection)
        expect("two" in found["text"].lower(), "a counted answer", found)
        expect(found["audio"] == 0, "no audio", found)
        print(f"typed:        said {found['text']!r}")


asyncio.run(asyncio.wait_for(main(sys.argv[1], sys.argv[2]), 90))
