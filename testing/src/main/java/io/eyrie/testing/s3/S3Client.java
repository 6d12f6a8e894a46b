// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/** Fills and inspects buckets for tests. Thread-safe. It reads and writes whole objects, with one request each that it sends up to three times. */
public final class S3Client
{
    private static final int ATTEMPTS = 3;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final URI endpoint;
    private final S3Signer signer;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

    /** Creates a client of the server, or of the link in front of it, at {@code http://host:port}. */
    public S3Client(URI endpoint, String accessKey, String secretKey)
    {
        this.endpoint = requireNonNull(endpoint, "endpoint is null");
        this.signer = new S3Signer(accessKey, secretKey);
    }

    /** Creates a bucket. */
    public void createBucket(String bucket)
    {
        send("PUT", path(bucket, ""), Map.of(), HttpRequest.BodyPublishers.noBody());
    }

    /** Writes or overwrites an object. Returns its ETag with the quotes. */
    public String put(String bucket, String key, byte[] bytes)
    {
        return eTag(send("PUT", path(bucket, key), Map.of(), HttpRequest.BodyPublishers.ofByteArray(bytes)));
    }

    /** Writes or overwrites an object with a file's bytes. Returns its ETag with the quotes. */
    public String put(String bucket, String key, Path file)
    {
        try {
            return eTag(send("PUT", path(bucket, key), Map.of(), HttpRequest.BodyPublishers.ofFile(file)));
        }
        catch (FileNotFoundException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns an object's bytes. */
    public byte[] get(String bucket, String key)
    {
        return send("GET", path(bucket, key), Map.of(), HttpRequest.BodyPublishers.noBody()).body();
    }

    /** Deletes an object, if it exists. */
    public void delete(String bucket, String key)
    {
        send("DELETE", path(bucket, key), Map.of(), HttpRequest.BodyPublishers.noBody());
    }

    /** Returns the objects whose keys begin with {@code prefix}, in the order of their keys. */
    public List<S3Object> list(String bucket, String prefix)
    {
        List<S3Object> objects = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            Map<String, String> query = new TreeMap<>(Map.of("list-type", "2", "prefix", prefix));
            token.ifPresent(value -> query.put("continuation-token", value));
            Element page = parse(send("GET", path(bucket, ""), query, HttpRequest.BodyPublishers.noBody()).body()).getDocumentElement();
            NodeList contents = page.getElementsByTagName("Contents");
            for (int i = 0; i < contents.getLength(); i++) {
                Element object = (Element) contents.item(i);
                objects.add(new S3Object(
                        text(object, "Key").orElseThrow(),
                        Long.parseLong(text(object, "Size").orElseThrow()),
                        text(object, "ETag").orElse("")));
            }
            token = text(page, "NextContinuationToken");
        }
        while (token.isPresent());
        return List.copyOf(objects);
    }

    /** Sends a PUT of the server's own, which S3 does not have. */
    void send(String path, Map<String, String> parameters, byte[] body)
    {
        send("PUT", path, parameters, HttpRequest.BodyPublishers.ofByteArray(body));
    }

    private HttpResponse<byte[]> send(String method, String path, Map<String, String> parameters, HttpRequest.BodyPublisher body)
    {
        String query = new TreeMap<>(parameters).entrySet().stream()
                .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
        URI location = URI.create(endpoint + path + (query.isEmpty() ? "" : "?" + query));
        HttpRequest.Builder request = HttpRequest.newBuilder(location).timeout(TIMEOUT).method(method, body);
        signer.headers(method, endpoint.getHost() + ":" + endpoint.getPort(), path, query, Instant.now()).forEach(request::header);
        try {
            HttpResponse<byte[]> response = sendAgain(request.build());
            if (response.statusCode() / 100 != 2) {
                throw new IllegalStateException(method + " " + location + ": status " + response.statusCode() + " " + new String(response.body(),
                        StandardCharsets.UTF_8));
            }
            return response;
        }
        catch (IOException e) {
            throw new UncheckedIOException(method + " " + location, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in " + method + " " + location, e);
        }
    }

    /** Retries if a server under load responds with a 5xx status, or closes a connection as it is reused. All requests of this class may be repeated. */
    private HttpResponse<byte[]> sendAgain(HttpRequest request)
            throws IOException,
            InterruptedException
    {
        for (int attempt = 1;; attempt++) {
            try {
                HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
                if (attempt == ATTEMPTS || response.statusCode() / 100 != 5) {
                    return response;
                }
            }
            catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static String eTag(HttpResponse<byte[]> response)
    {
        return response.headers().firstValue("ETag").orElseThrow(() -> new IllegalStateException("No ETag: " + response));
    }

    private static String path(String bucket, String key)
    {
        return "/" + encode(bucket) + (key.isEmpty() ? "" : "/" + encode(key).replace("%2F", "/"));
    }

    /** Encodes by RFC 3986, as signatures require. */
    private static String encode(String text)
    {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    private static Document parse(byte[] xml)
    {
        try {
            return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(new ByteArrayInputStream(xml));
        }
        catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("Not XML: " + new String(xml, StandardCharsets.UTF_8), e);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> text(Element parent, String name)
    {
        NodeList elements = parent.getElementsByTagName(name);
        return elements.getLength() == 0 ? Optional.empty() : Optional.of(elements.item(0).getTextContent());
    }
}
