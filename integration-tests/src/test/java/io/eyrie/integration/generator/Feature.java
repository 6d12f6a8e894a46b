// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

/** A feature of an expression. */
enum Feature
{
    CASE, CAST, IN, LIKE, BETWEEN, IS_NULL, IS_DISTINCT, NOW, LAMBDA, RANDOM, UDF, FIELD, ELEMENT, MAP_VALUE, PARTITION_COLUMN, COALESCE, TRY_CAST,
    FAILING
}
