package io.eyrie.integration.generator;

/** What an expression may have in it. */
enum Feature
{
    CASE, CAST, IN, LIKE, BETWEEN, IS_NULL, IS_DISTINCT, NOW, LAMBDA, RANDOM, UDF, FIELD, ELEMENT, MAP_VALUE, PARTITION_COLUMN, COALESCE, TRY_CAST,
    FAILING
}
