"""Real brokers for tests: started on free ports of this machine, stopped, and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import uuid
from pathlib import Path

from tests.live.service import free_port

KAFKA = "3.9.1"
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>t</groupId><artifactId>t</artifactId><version>1</version><dependencies><dependency>
<groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{KAFKA}</version>
</dependency></dependencies></project>"""


def program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


class Broker:
    """A server in a process of its own."""

    scheme = program_name = ""
    options = ""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.prepare()
        self.process: subprocess.Popen | None = None
        self.start()

    def prepare(self) -> None:
        """Write what the server reads before its first start."""

    def command(self) -> list[str]:
        raise NotImplementedError

    @classmethod
    def missing(cls) -> str | None:
        """Why it can not be started here."""
        found = program(cls.program_name)
        return None if found else f"{cls.program_name} is not installed"

    def start(self) -> None:
        with open(self.folder / "log.txt", "ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, cwd=self.folder, start_new_session=True
            )
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None, (self.folder / "log.txt").read_text()[-2000:]
                time.sleep(0.05)
        raise AssertionError("the broker does not listen")

    def stop(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(60)

    def address(self, topic: str) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/{topic}{self.options}"

    def create(self, topic: str) -> None:
        """Make a topic."""


class Redis(Broker):
    scheme, program_name = "redis", "redis-server"

    def command(self) -> list[str]:
        where = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        return [program("redis-server"), *where, "--appendonly", "yes", "--save", ""]


class Nats(Broker):
    scheme, program_name = "nats", "nats-server"

    def command(self) -> list[str]:
        where = ["-a", "127.0.0.1", "-p", str(self.port), "-sd", str(self.folder)]
        return [program("nats-server"), *where, "-js"]

    def create(self, topic: str) -> None:
        import asyncio

        import nats

        async def create() -> None:
            connection = await nats.connect(f"nats://127.0.0.1:{self.port}")
            await connection.jetstream().add_stream(name=topic, subjects=[topic])
            await connection.close()

        asyncio.run(create())


class Mosquitto(Broker):
    scheme, program_name, options = "mqtt", "mosquitto", "?id=id"

    def prepare(self) -> None:
        self.folder.chmod(0o777)
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {self.folder}/\nmax_queued_messages 0\n"
            f"max_inflight_messages 100\nuser root\n"
        )

    def command(self) -> list[str]:
        return [program("mosquitto"), "-c", str(self.folder / "mosquitto.conf")]

    def create(self, topic: str) -> None:
        """Make the session of the consumer, so that the broker keeps messages for it."""
        import paho.mqtt.client as paho

        client = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=f"braided-{topic}", clean_session=False
        )
        subscribed = []
        client.on_subscribe = lambda *arguments: subscribed.append(1)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        client.subscribe(topic, 1)
        while not subscribed:
            time.sleep(0.01)
        client.disconnect()
        client.loop_stop()


class Kafka(Broker):
    """The broker of Apache in KRaft mode; its jars come from Maven Central, once."""

    scheme, program_name = "kafka", "java"

    @classmethod
    def jars(cls) -> Path:
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
        return cache / "braided-tests" / f"kafka-{KAFKA}"

    @classmethod
    def missing(cls) -> str | None:
        if program("java") is None:
            return "java is not installed"
        jars = cls.jars()
        if (jars / "complete").exists():
            return None
        if program("mvn") is None:
            return "mvn is not installed, and the jars of Kafka are not there"
        jars.mkdir(parents=True, exist_ok=True)
        (jars / "pom.xml").write_text(POM)
        copy = ["mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={jars}"]
        try:
            subprocess.run(copy, cwd=jars, check=True, timeout=300, capture_output=True)
        except (subprocess.SubprocessError, OSError) as error:
            return f"the jars of Kafka can not be had: {type(error).__name__}"
        (jars / "complete").touch()
        return None

    def _java(self, *arguments: str) -> list[str]:
        options = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        return ["java", *options, "-cp", f"{self.jars()}/*", *arguments]

    def prepare(self) -> None:
        controller = free_port()
        self.settings = self.folder / "server.properties"
        self.settings.write_text(
            "process.roles=broker,controller\nnode.id=1\n"
            f"controller.quorum.voters=1@127.0.0.1:{controller}\n"
            f"listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}\n"
            f"advertised.listeners=PLAINTEXT://127.0.0.1:{self.port}\n"
            "controller.listener.names=CONTROLLER\n"
            f"log.dirs={self.folder}/data\nnum.partitions=2\n"
            "offsets.topic.replication.factor=1\noffsets.topic.num.partitions=1\n"
            "transaction.state.log.replication.factor=1\ntransaction.state.log.min.isr=1\n"
            "group.initial.rebalance.delay.ms=0\n"
        )
        id = uuid.uuid4().hex[:22]
        storage = ["kafka.tools.StorageTool", "format", "-t", id, "-c", str(self.settings)]
        subprocess.run(self._java(*storage), check=True, capture_output=True)

    def command(self) -> list[str]:
        return self._java("kafka.Kafka", str(self.settings))

    def create(self, topic: str) -> None:
        from confluent_kafka.admin import AdminClient, NewTopic

        admin = AdminClient({"bootstrap.servers": f"127.0.0.1:{self.port}"})
        for each in admin.create_topics([NewTopic(topic, 2, 1)]).values():
            each.result(30)


BROKERS = {each.scheme: each for each in (Redis, Nats, Mosquitto, Kafka)}
