package io.eyrie.presto.filesystem;

/** The name of the catalog that this connector serves. */
public record CatalogName(String name)
{}
