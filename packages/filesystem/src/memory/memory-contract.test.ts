import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { filesystemContract } from "../testing/filesystem-contract.js";

filesystemContract("InMemoryFilesystem", (options) => new InMemoryFilesystem(options));
