// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.catalog;

/** The name of the catalog that this connector serves. */
public record CatalogName(String name)
{}
