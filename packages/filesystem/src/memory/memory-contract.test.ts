import { filesystemContract } from "../testing/filesystem-contract.js";
import { InMemoryFilesystem } from "./in-memory-filesystem.js";

filesystemContract("InMemoryFilesystem", (options) => new InMemoryFilesystem(options));
