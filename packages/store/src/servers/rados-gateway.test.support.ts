import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { AwsClient } from "aws4fetch";
import { accepting, freePort } from "./free-port.test.support.js";
import { findProgram } from "./required.test.support.js";

const run = promisify(execFile);

/** Its programs are in the Debian packages radosgw, ceph-mon and ceph-osd. */
export const radosProgram: string | undefined =
  findProgram("ceph-mon") && findProgram("ceph-osd") && findProgram("radosgw");

/** Ceph's S3 server, with one monitor and one store in memory. It takes about 15 seconds to start. */
export class RadosGateway implements AsyncDisposable {
  readonly credentials = { accessKeyId: "AK", secretAccessKey: "SK" };
  readonly #directory: string;
  readonly #port: number;
  readonly #processes: ChildProcess[] = [];

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  /** Starts the servers and creates the bucket `runs`. */
  static async start(): Promise<RadosGateway> {
    const directory = await mkdtemp(path.join(tmpdir(), "wink-rados-"));
    const gateway = new RadosGateway(directory, await freePort());
    try {
      await gateway.#start();
      return gateway;
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async #start(): Promise<void> {
    const [cluster, osd, monitorPort] = [randomUUID(), randomUUID(), await freePort()];
    const address = `[v1:127.0.0.1:${monitorPort}/0]`;
    for (const name of ["mon", "osd", "run"]) await mkdir(path.join(this.#directory, name));
    await writeFile(this.#path("ceph.conf"), this.#settings(cluster, address));
    const map = this.#path("monmap");
    await run("monmaptool", ["--create", "--fsid", cluster, "--addv", "a", address, map]);
    await this.#run("ceph-mon", ["--mkfs", "-i", "a", "--monmap", map]);
    this.#spawn("ceph-mon", ["-i", "a", "-f"]);
    await accepting(monitorPort, () => this.#isRunning);
    await this.#run("ceph", ["osd", "new", osd]);
    await this.#run("ceph-osd", ["-i", "0", "--mkfs", "--osd-uuid", osd]);
    this.#spawn("ceph-osd", ["-i", "0", "-f"]);
    // While it starts, the monitor may refuse to answer.
    const stat = () => this.#run("ceph", ["osd", "stat"]).catch(() => "");
    while (this.#isRunning && !(await stat()).includes("1 up")) await sleep(200);
    this.#spawn("radosgw", ["-n", "client.rgw.a", "-f", "--setuser", "root", "--setgroup", "root"]);
    await accepting(this.#port, () => this.#isRunning);
    const { accessKeyId, secretAccessKey } = this.credentials;
    const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
    await this.#run("radosgw-admin", ["user", "create", "--uid=u", "--display-name=u", ...keys]);
    const client = new AwsClient({ ...this.credentials, service: "s3", region: "us-east-1" });
    const { status } = await client.fetch(`${this.url}/runs`, { method: "PUT" });
    if (status !== 200) throw new Error(`radosgw answered ${status} for the bucket.`);
  }

  #settings(cluster: string, address: string): string {
    const settings = {
      fsid: cluster,
      mon_host: address,
      mon_initial_members: "a",
      auth_cluster_required: "none",
      auth_service_required: "none",
      auth_client_required: "none",
      osd_pool_default_size: 1,
      osd_pool_default_min_size: 1,
      osd_pool_default_pg_num: 1,
      osd_pool_default_pgp_num: 1,
      osd_pool_default_pg_autoscale_mode: "off",
      mon_allow_pool_size_one: true,
      mon_max_pg_per_osd: 500,
      osd_crush_chooseleaf_type: 0,
      osd_objectstore: "memstore",
      memstore_device_bytes: 2 * 1024 ** 3,
      public_addr: "127.0.0.1",
      cluster_addr: "127.0.0.1",
      ms_bind_msgr2: false,
      run_dir: this.#path("run"),
      admin_socket: this.#path("run/$name.asok"),
      log_file: this.#path("run/$name.log"),
      pid_file: this.#path("run/$name.pid"),
      mon_data: this.#path("mon"),
      osd_data: this.#path("osd"),
      rgw_frontends: `beast endpoint=127.0.0.1:${this.#port}`,
      rgw_enable_gc_threads: false,
      rgw_enable_lc_threads: false,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    return `[global]\n${lines.join("\n")}\n`;
  }

  async #run(program: string, args: readonly string[]): Promise<string> {
    const { stdout } = await run(program, ["-c", this.#path("ceph.conf"), ...args]);
    return stdout;
  }

  #spawn(program: string, args: readonly string[]): void {
    const all = ["-c", this.#path("ceph.conf"), ...args];
    this.#processes.push(spawn(program, all, { stdio: "ignore" }));
  }

  get #isRunning(): boolean {
    return this.#processes.every(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null);
  }

  #path(name: string): string {
    return path.join(this.#directory, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#processes.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    await rm(this.#directory, { recursive: true, force: true });
  }
}
